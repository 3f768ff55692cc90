import { defineLatchkeyButton } from '@latchkey/react/embed'

defineLatchkeyButton()
