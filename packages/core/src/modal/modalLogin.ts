import type { Latchkey } from '../latchkeyTypes.ts'
import { createLogin } from '../login/createLogin.ts'
import type { LoginDependencies } from '../login/loginContext.ts'
import { createLoginNavigation } from './loginNavigation.ts'

/** Creates the login flow with its views in the modal. Loaded on first use. */
export function createModalLogin(
  dependencies: Omit<LoginDependencies, 'navigation'> & { readonly modal: Latchkey['modal'] },
): ReturnType<typeof createLogin> {
  return createLogin({ ...dependencies, navigation: createLoginNavigation(dependencies) })
}
