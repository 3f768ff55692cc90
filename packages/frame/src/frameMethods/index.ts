import type { MethodName } from '@latchkey/protocol/frame/messages'
import type { Method } from '../frameContext.ts'
import { connectDevice } from './connectDevice.ts'
import { connectEmail } from './connectEmail.ts'
import { connectFarcaster } from './connectFarcaster.ts'
import { connectOtp } from './connectOtp.ts'
import { connectPasskey } from './connectPasskey.ts'
import { connectSocial } from './connectSocial.ts'
import { connectWindow } from './connectWindow.ts'
import { getChainId } from './getChainId.ts'
import { getFarcasterUri } from './getFarcasterUri.ts'
import { getSmartAccountEnabledNetworks } from './getSmartAccountEnabledNetworks.ts'
import { getSocialRedirectUri } from './getSocialRedirectUri.ts'
import { getUser } from './getUser.ts'
import { initSmartAccount } from './initSmartAccount.ts'
import { isConnected } from './isConnected.ts'
import { reload } from './reload.ts'
import { rpcAbort } from './rpcAbort.ts'
import { setPreferredAccount } from './setPreferredAccount.ts'
import { signOut } from './signOut.ts'
import { switchNetwork } from './switchNetwork.ts'
import { syncDappData } from './syncDappData.ts'
import { syncTheme } from './syncTheme.ts'
import { updateEmail } from './updateEmail.ts'
import { updateEmailPrimaryOtp } from './updateEmailPrimaryOtp.ts'
import { updateEmailSecondaryOtp } from './updateEmailSecondaryOtp.ts'

/** The handlers for all frame methods. */
export const methods: { readonly [Name in MethodName]: Method<Name> } = {
  CONNECT_DEVICE: connectDevice,
  CONNECT_EMAIL: connectEmail,
  CONNECT_FARCASTER: connectFarcaster,
  CONNECT_OTP: connectOtp,
  CONNECT_PASSKEY: connectPasskey,
  CONNECT_SOCIAL: connectSocial,
  CONNECT_WINDOW: connectWindow,
  GET_CHAIN_ID: getChainId,
  GET_FARCASTER_URI: getFarcasterUri,
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: getSmartAccountEnabledNetworks,
  GET_SOCIAL_REDIRECT_URI: getSocialRedirectUri,
  GET_USER: getUser,
  INIT_SMART_ACCOUNT: initSmartAccount,
  IS_CONNECTED: isConnected,
  RELOAD: reload,
  RPC_ABORT: rpcAbort,
  // Loaded on demand, because it is not needed before READY or to restore a session.
  RPC_REQUEST: async (...request) => (await import('./rpcRequest.ts')).rpcRequest(...request),
  SET_PREFERRED_ACCOUNT: setPreferredAccount,
  SIGN_OUT: signOut,
  SWITCH_NETWORK: switchNetwork,
  SYNC_DAPP_DATA: syncDappData,
  SYNC_THEME: syncTheme,
  UPDATE_EMAIL: updateEmail,
  UPDATE_EMAIL_PRIMARY_OTP: updateEmailPrimaryOtp,
  UPDATE_EMAIL_SECONDARY_OTP: updateEmailSecondaryOtp,
}
