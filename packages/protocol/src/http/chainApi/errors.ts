import type { EndpointErrors } from '../endpoint.ts'
import type { ApiErrorCode } from '../publicRoutes.ts'
import { getBalances, getHistory } from './account.ts'
import {
  getBuildApprove,
  getConvertAllowance,
  getConvertGasPrice,
  getConvertQuotes,
  getConvertTokens,
  postBuildTransaction,
} from './convert.ts'
import { getIdentity } from './identity.ts'
import { getOnrampOptions, postOnrampQuote, postOnrampUrl } from './onramp.ts'
import { postPrices } from './price.ts'
import {
  getNameRecord,
  getNameSuggestions,
  getProfile,
  getProfilesOfAddress,
  postProfile,
  postProfileAddress,
  postProfileAttributes,
} from './profile.ts'
import { getSmartSessions, postRevokeSmartSession } from './smartSessions.ts'

/** The errors of the chain API's endpoints, in addition to `commonApiErrors`. */
export const chainErrors: EndpointErrors<ApiErrorCode> = [
  [getIdentity, '400 *', '401 projectId', '401 origin', '401 useCache', '503 *'],
  [getBalances, '400 *', '401 projectId', '401 origin', '503 *'],
  [getHistory, '400 *', '401 projectId', '401 origin', '503 *'],
  [postPrices, '400 *', '401 projectId', '401 origin', '413 body', '422 *', '503 *'],
  [getConvertTokens, '400 *', '401 projectId', '401 origin', '503 *'],
  [getConvertQuotes, '400 *', '401 projectId', '401 origin', '503 *'],
  [getConvertAllowance, '400 *', '401 projectId', '401 origin', '503 *'],
  [getConvertGasPrice, '400 *', '401 projectId', '401 origin', '503 *'],
  [getBuildApprove, '400 *', '401 projectId', '401 origin', '503 *'],
  [postBuildTransaction, '400 *', '401 projectId', '401 origin', '413 body', '422 *', '503 *'],
  [getProfile, '400 *', '401 projectId', '401 origin', '404 name', '503 *'],
  [getProfilesOfAddress, '400 *', '401 projectId', '401 origin', '404 name', '503 *'],
  [getNameRecord, '400 *', '503 *'],
  [getNameSuggestions, '400 *', '401 projectId', '401 origin', '503 *'],
  [postProfile, '400 *', '401 *', '413 body', '422 *', '503 *'],
  [postProfileAttributes, '400 *', '401 *', '404 name', '413 body', '422 *', '503 *'],
  [postProfileAddress, '400 *', '401 *', '404 name', '413 body', '422 *', '503 *'],
  [getOnrampOptions, '400 *', '401 projectId', '401 origin', '503 *'],
  [postOnrampQuote, '400 *', '401 projectId', '401 origin', '413 body', '422 *', '503 *'],
  [postOnrampUrl, '400 *', '401 projectId', '401 origin', '413 body', '422 *', '503 *'],
  [getSmartSessions, '400 *', '401 projectId', '401 origin', '503 *'],
  [postRevokeSmartSession, '400 *', '401 *', '413 body', '422 *', '503 *'],
]
