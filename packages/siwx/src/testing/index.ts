export { malleatedSignature, signWith, type TestSigner } from './testSigner.ts'
export { type Visitor, visitor } from './testVisitor.ts'
