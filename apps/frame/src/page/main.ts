import { speak } from '../screens/speech.ts'
import { startPage } from './startPage.tsx'

void speak(document, { visitor: navigator.languages }).finally(() => startPage(window))
