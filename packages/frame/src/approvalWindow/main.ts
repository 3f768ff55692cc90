import { startApprovalWindow } from './startApprovalWindow.tsx'

startApprovalWindow(window)
