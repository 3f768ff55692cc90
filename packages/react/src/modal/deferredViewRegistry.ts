/** Loaders for the views that few pages need: embedded wallet, pairing and sign-in. Each view is a separate chunk. */
export const deferredViewRegistry = {
  // #region generated: views (npm run generate)
  ConnectSocials: async () => (await import('../views/login/ConnectSocials.tsx')).ConnectSocials,
  ConnectingWalletConnect: async () =>
    (await import('../views/pairing/ConnectingWalletConnect.tsx')).ConnectingWalletConnect,
  ConnectingWalletConnectBasic: async () =>
    (await import('../views/pairing/ConnectingWalletConnectBasic.tsx')).ConnectingWalletConnectBasic,
  ConnectingSocial: async () => (await import('../views/login/ConnectingSocial.tsx')).ConnectingSocial,
  ConnectingFarcaster: async () => (await import('../views/login/ConnectingFarcaster.tsx')).ConnectingFarcaster,
  ConnectingPasskey: async () => (await import('../views/login/ConnectingPasskey.tsx')).ConnectingPasskey,
  ConnectingSiwe: async () => (await import('../views/signIn/SIWXSignMessage.tsx')).ConnectingSiwe,
  AccountSettings: async () => (await import('../views/login/AccountSettings.tsx')).AccountSettings,
  EmailLogin: async () => (await import('../views/login/EmailLogin.tsx')).EmailLogin,
  EmailVerifyOtp: async () => (await import('../views/login/EmailVerifyOtp.tsx')).EmailVerifyOtp,
  EmailVerifyDevice: async () => (await import('../views/login/EmailVerifyDevice.tsx')).EmailVerifyDevice,
  UpdateEmailWallet: async () => (await import('../views/login/UpdateEmailWallet.tsx')).UpdateEmailWallet,
  UpdateEmailPrimaryOtp: async () => (await import('../views/login/UpdateEmailPrimaryOtp.tsx')).UpdateEmailPrimaryOtp,
  UpdateEmailSecondaryOtp: async () =>
    (await import('../views/login/UpdateEmailSecondaryOtp.tsx')).UpdateEmailSecondaryOtp,
  SIWXSignMessage: async () => (await import('../views/signIn/SIWXSignMessage.tsx')).SIWXSignMessage,
  ApproveTransaction: async () => (await import('../views/login/ApproveTransaction.tsx')).ApproveTransaction,
  SmartSessionCreated: async () => (await import('../views/smartSessions/SmartSessionCreated.tsx')).SmartSessionCreated,
  SmartSessionList: async () => (await import('../views/smartSessions/SmartSessionList.tsx')).SmartSessionList,
  // #endregion
} as const

/** The type of `deferredViewRegistry`. */
export type DeferredViewRegistry = typeof deferredViewRegistry
