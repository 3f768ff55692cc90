import { setLanguage } from '../texts/pickLanguage.ts'
import { startWalletPage } from './startWalletPage.tsx'

void setLanguage(document, { visitor: navigator.languages }).finally(() => startWalletPage(window))
