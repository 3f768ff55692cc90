import { startIdentification } from './page.ts'

startIdentification(window)
