import address from './Address.css?inline'
import amount from './Amount.css?inline'
import avatar from './Avatar.css?inline'
import button from './Button.css?inline'
import tokens from './designTokens.css?inline'
import icon from './Icon.css?inline'
import notice from './Notice.css?inline'
import row from './Row.css?inline'
import screen from './Screen.css?inline'
import skeleton from './Skeleton.css?inline'
import spinner from './Spinner.css?inline'
import stack from './Stack.css?inline'
import text from './Text.css?inline'
import toast from './Toast.css?inline'
import visuallyHidden from './VisuallyHidden.css?inline'
import walletLogo from './WalletLogo.css?inline'

/**
 * The design tokens, and the styles for the components that Connect and most views use. Other components add their own styles
 * with `useStyleSheet`.
 */
export const uiStyles: string = [
  tokens,
  icon,
  spinner,
  button,
  row,
  skeleton,
  walletLogo,
  avatar,
  address,
  amount,
  notice,
  toast,
  screen,
  stack,
  text,
  visuallyHidden,
].join('\n')
