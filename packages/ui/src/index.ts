/**
 * Latchkey's visual components. They do not depend on any wallet code and contain no text: every label is a prop.
 *
 * The modal renders the card and places its buttons (back, help, network and close) over the 60 px header. A view renders
 * everything else in a single `<Screen title="…">`, whose `<h2>` appears in the header and labels the dialog. The body below the
 * header is a column with a 12 px gap. `footer` stays visible while the body scrolls. Lists are `<Group><Row/></Group>`.
 * To add styles for a view, import them with `import css from './View.css?inline'` and call `useStyleSheet(css)`. The design
 * tokens, such as `var(--text)` and `var(--fill)`, are defined in designTokens.css.
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
export { createQrScanner, type QrScanner } from './createQrScanner.ts'
export { Icon, type IconDrawing, type IconName, type IconProps } from './Icon.tsx'
export { LiveRegion } from './LiveRegion.tsx'
export { moreIcons } from './moreIcons.ts'
export { Notice, type NoticeProps } from './Notice.tsx'
export { digitsOf, OtpField, type OtpFieldProps } from './OtpField.tsx'
export { ProgressRing, type ProgressRingProps } from './ProgressRing.tsx'
export { drawQr, QrCode, type QrCodeProps } from './QrCode.tsx'
export { Group, type GroupProps, Row, type RowProps, type Tag } from './Row.tsx'
export { Screen, type ScreenFrame, ScreenFrameContext, type ScreenProps } from './Screen.tsx'
export { SegmentedControl, type SegmentedControlProps } from './SegmentedControl.tsx'
export { Skeleton, type SkeletonProps } from './Skeleton.tsx'
export { Spinner, type SpinnerProps } from './Spinner.tsx'
export { Stack, type StackProps } from './Stack.tsx'
export { shortAddress } from './shortAddress.ts'
export { type AdoptStyles, createStyleAdopter, StyleSheetContext, useStyleSheet } from './stylesheetRegistry.ts'
export { Text, type TextProps } from './Text.tsx'
export { TextField, type TextFieldProps } from './TextField.tsx'
export { Tile, type TileProps } from './Tile.tsx'
export { Toast, type ToastProps } from './Toast.tsx'
export { uiStyles } from './uiStyles.ts'
export { VirtualList, type VirtualListProps } from './VirtualList.tsx'
export { VisuallyHidden } from './VisuallyHidden.tsx'
export { WalletLogo, type WalletLogoProps } from './WalletLogo.tsx'
