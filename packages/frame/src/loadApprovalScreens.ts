import type { ApprovalQueue } from './approvals/approvalQueue.ts'
import type { ApprovalView } from './approvals/approvalViewModel.ts'
import type { PageSettings } from './pageSettings.ts'

/** Parameters of `loadApprovalScreens`. */
export interface ApprovalScreensParameters {
  readonly window: Window & typeof globalThis
  readonly approvals: ApprovalQueue<ApprovalView>
  readonly settings: PageSettings
  /** Returns whether the operator can sign on the user's behalf. If so, every screen shows a notice. */
  readonly operatorCanSign: () => boolean
}

/**
 * Loads and mounts the approval screens when the first request needs approval. If the screens cannot be loaded, the requests are
 * aborted.
 */
export function loadApprovalScreens({ window, approvals, settings, operatorCanSign }: ApprovalScreensParameters): void {
  let loading: Promise<unknown> | undefined
  approvals.subscribe(() => {
    if (!approvals.current() || loading) return
    loading = Promise.all([import('./screens/mountScreens.tsx'), loadLanguage(window)]).then(([{ mountScreens }]) =>
      mountScreens(window, { approvals, settings, operatorCanSign, approvalWindows: window }),
    )
    loading.catch(() => {
      // No screens can be shown, so no request can be approved.
      loading = undefined
      approvals.abort()
    })
  })
}

/** Sets the language of the screens. If this fails, the screens are in English. */
function loadLanguage(window: Window): Promise<unknown> {
  return import('./texts/pickLanguage.ts')
    .then(({ setLanguage }) =>
      setLanguage(window.document, {
        page: new URL(window.location.href).searchParams.get('lang'),
        visitor: window.navigator.languages,
      }),
    )
    .catch(() => undefined)
}
