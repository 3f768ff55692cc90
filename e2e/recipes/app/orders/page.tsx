// app/orders/page.tsx
import { sessionOf } from '@latchkey/siwx/next'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import { Suspense } from 'react'
import { signIn } from '../../signIn'

export default function Page() {
  return (
    <Suspense fallback={<p>…</p>}>
      <Orders />
    </Suspense>
  )
}

async function Orders() {
  await connection()
  const account = await sessionOf(signIn, await headers())
  return <p>{account ? `Orders of ${account.sub}` : 'Sign in first'}</p>
}
