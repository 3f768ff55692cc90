/**
 * The look of Latchkey: it knows nothing of wallets, and has no words of its own (every label is a prop).
 *
 * How a view stands in the modal: the modal draws the card and lays its buttons (back, help, network, close) over the 60 px strip at the
 * top; the view draws everything else with one `<Screen title="…">`, whose `<h2>` stands in that strip and names the dialog.
 * Below it the body is a column with a 12 px gap; `footer` stays in sight. Lists are `<Group><Row/></Group>`.
 * Styles of a view's own: `import css from './View.css?inline'` and `useCss(css)`; tokens are `var(--text)`, `var(--fill)`, … (tokens.css).
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
export { type Adopt, AdoptContext, createAdopt, useCss } from './css.ts'
export { Field, type FieldProps } from './Field.tsx'
export { Icon, type IconName, type IconProps } from './Icon.tsx'
export { Notice, type NoticeProps } from './Notice.tsx'
export { digitsOf, OtpField, type OtpFieldProps } from './OtpField.tsx'
export { drawQr, QrCode, type QrCodeProps } from './QrCode.tsx'
export { Group, type GroupProps, Row, type RowProps, type Tag } from './Row.tsx'
export {
  Hidden,
  Live,
  Screen,
  type ScreenFrame,
  ScreenFrameContext,
  type ScreenProps,
  Stack,
  type StackProps,
  Text,
  type TextProps,
} from './Screen.tsx'
export { Segmented, type SegmentedProps } from './Segmented.tsx'
export { Skeleton, type SkeletonProps } from './Skeleton.tsx'
export { Spinner, type SpinnerProps } from './Spinner.tsx'
export { shortAddress } from './shortAddress.ts'
export { uiStyles } from './styles.ts'
export { Tile, type TileProps } from './Tile.tsx'
export { Toast, type ToastProps } from './Toast.tsx'
export { VirtualList, type VirtualListProps } from './VirtualList.tsx'
export { WaitRing, type WaitRingProps } from './WaitRing.tsx'
export { WalletLogo, type WalletLogoProps } from './WalletLogo.tsx'
