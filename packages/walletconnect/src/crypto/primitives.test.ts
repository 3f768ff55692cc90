import { primitivesSuite } from '../testing/primitivesSuite.ts'

primitivesSuite()
