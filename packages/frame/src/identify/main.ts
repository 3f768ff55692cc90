import { startIdentification } from './startIdentification.ts'

startIdentification(window)
