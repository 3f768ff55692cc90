import type { RouterContext } from './router.ts'
import type { Route } from './views.ts'

/** Whether the modal can be closed. A pending approval or a required sign-in prevents this. */
export function canClose(
  { view }: Route,
  now: Pick<RouterContext, 'signIn' | 'signedIn'>,
  params: { forced: boolean },
): boolean {
  if (view === 'ApproveTransaction') return params.forced
  if (view === 'SIWXSignMessage' || view === 'ConnectingSiwe')
    return params.forced || now.signIn !== 'required' || now.signedIn
  return true
}
