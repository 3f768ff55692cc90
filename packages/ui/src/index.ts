/**
 * The look of Latchkey: it knows nothing of wallets, and has no words of its own (every label is a prop).
 *
 * How a view stands in the modal: the modal draws the card and lays its buttons (back, help, network, close) over the 60 px strip at the
 * top; the view draws everything else with one `<Screen title="…">`, whose `<h2>` stands in that strip and names the dialog.
 * Below it the body is a column with a 12 px gap; `footer` stays in sight. Lists are `<Group><Row/></Group>`.
 * Styles of a view's own: `import css from './View.css?inline'` and `useStyleSheet(css)`; tokens are `var(--text)`, `var(--fill)`, … (tokens.css).
 */
export { Address, type AddressProps, groupsOf } from './Address.tsx'
export { Amount, type AmountProps, AmountText, type AmountTextProps, amountParts } from './Amount.tsx'
export { Avatar, type AvatarProps, lightsOf } from './Avatar.tsx'
export {
  Button,
  type ButtonProps,
  IconButton,
  type IconButtonProps,
  LinkButton,
  type LinkButtonProps,
} from './Button.tsx'
export { Checkbox, type CheckboxProps } from './Checkbox.tsx'
export { Icon, type IconName, type IconProps } from './Icon.tsx'
export { Notice, type NoticeProps } from './Notice.tsx'
export { digitsOf, OtpField, type OtpFieldProps } from './OtpField.tsx'
export { ProgressRing, type ProgressRingProps } from './ProgressRing.tsx'
export { drawQr, QrCode, type QrCodeProps } from './QrCode.tsx'
export { Group, type GroupProps, Row, type RowProps, type Tag } from './Row.tsx'
export {
  LiveRegion,
  Screen,
  type ScreenFrame,
  ScreenFrameContext,
  type ScreenProps,
  Stack,
  type StackProps,
  Text,
  type TextProps,
  VisuallyHidden,
} from './Screen.tsx'
export { SegmentedControl, type SegmentedControlProps } from './SegmentedControl.tsx'
export { Skeleton, type SkeletonProps } from './Skeleton.tsx'
export { Spinner, type SpinnerProps } from './Spinner.tsx'
export { shortAddress } from './shortAddress.ts'
export { type AdoptStyles, createStyleAdopter, StyleSheetContext, useStyleSheet } from './stylesheetRegistry.ts'
export { TextField, type TextFieldProps } from './TextField.tsx'
export { Tile, type TileProps } from './Tile.tsx'
export { Toast, type ToastProps } from './Toast.tsx'
export { uiStyles } from './uiStyles.ts'
export { VirtualList, type VirtualListProps } from './VirtualList.tsx'
export { WalletLogo, type WalletLogoProps } from './WalletLogo.tsx'
