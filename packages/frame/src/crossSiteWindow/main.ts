import { startCrossSiteWindow } from './startCrossSiteWindow.tsx'

startCrossSiteWindow(window)
