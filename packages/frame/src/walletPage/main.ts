import { setLanguage } from '../screens/locale.ts'
import { startWalletPage } from './startWalletPage.tsx'

void setLanguage(document, { visitor: navigator.languages }).finally(() => startWalletPage(window))
