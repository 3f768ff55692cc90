import { startContinueWindow } from './startContinueWindow.tsx'

startContinueWindow(window)
