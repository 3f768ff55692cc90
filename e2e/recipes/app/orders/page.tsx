// app/orders/page.tsx
import { sessionOf } from '@latchkey/server/sign-in/next'
import { headers } from 'next/headers'
import { signIn } from '../../signIn'

export default async function Orders() {
  const account = await sessionOf(signIn, await headers())
  return <p>{account ? `Orders of ${account.sub}` : 'Sign in first'}</p>
}
