import type { Latchkey } from '../latchkeyTypes.ts'
import { createLogin } from '../login/createLogin.ts'
import type { LoginDependencies } from '../login/loginContext.ts'
import { createLoginNavigation } from './loginNavigation.ts'

/** Creates the login flow with navigation in the modal. This module is loaded on first use. */
export function createModalLogin(
  dependencies: Omit<LoginDependencies, 'navigation'> & { readonly modal: Latchkey['modal'] },
): ReturnType<typeof createLogin> {
  return createLogin({ ...dependencies, navigation: createLoginNavigation(dependencies) })
}
