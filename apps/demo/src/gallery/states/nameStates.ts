import type { AccountNamesState } from '@latchkey/core'
import { fakeAccountNames, fakeDirectory, fakeFailure } from '@latchkey/core/testing'
import { type GalleryEntry, statesOf } from '../galleryEntry.ts'
import { withConnection } from '../samples.ts'

const zone = 'shop.example'
const longLabel = 'a-name-that-is-as-long-as-names-can-be-and-has-64-characters-000'
const never = new Promise<never>(() => undefined)
const failed = fakeFailure('http/failed', { status: 400, url: 'https://connect.shop.example', field: 'timestamp' })
const unreachable = fakeFailure('http/unreachable', { url: 'https://connect.shop.example' })

const showing = (state: Partial<AccountNamesState> = {}, actions: Parameters<typeof fakeAccountNames>[1] = {}) => ({
  state: withConnection,
  directory: { ...fakeDirectory({ wallets: [] }), namesZone: async () => zone },
  names: fakeAccountNames(state, actions),
})
const suggested = (...labels: readonly [label: string, registered: boolean][]) => ({
  status: 'ready' as const,
  value: labels.map(([label, registered]) => ({ name: `${label}.${zone}`, registered })),
})
const free = suggested(['alice', false], ['alice1', false], ['alice2', false])
const taken = suggested(['alice', true], ['alice1', false], ['alice2', false], ['alice3', false], ['alice4', false])

/** The views for account names. */
export const nameStates: readonly GalleryEntry[] = [
  ...statesOf(
    'ChooseAccountName',
    undefined,
    {
      default: showing(),
      loading: showing({}, { zone: () => never }),
      'no names': showing({}, { zone: async () => undefined }),
    },
    'AccountSettings',
  ),
  ...statesOf(
    'RegisterAccountName',
    undefined,
    {
      default: showing(),
      loading: showing({}, { zone: () => never }),
      'no names': showing({}, { zone: async () => undefined }),
      'too short': showing({ text: 'ali' }),
      invalid: showing({ text: 'ali_ce' }),
      hyphen: showing({ text: '-alice' }),
      checking: showing({ text: 'alice', suggestions: { status: 'loading' } }),
      available: showing({ text: 'alice', suggestions: free }),
      taken: showing({ text: 'alice', suggestions: taken }),
      'server down': showing({ text: 'alice', suggestions: { status: 'failed', error: unreachable } }),
      confirming: showing({ text: 'alice', suggestions: free, registering: true }),
      declined: showing({
        text: 'alice',
        suggestions: free,
        error: fakeFailure('user/rejected', { request: 'personal_sign' }),
      }),
      'too late': showing({ text: 'alice', suggestions: free, error: failed }),
      'not sent': showing({ text: 'alice', suggestions: free, error: unreachable }),
      'long content': showing({
        text: longLabel,
        suggestions: suggested([longLabel, true], [longLabel.replace('000', '001'), false]),
      }),
    },
    'ChooseAccountName',
  ),
  ...statesOf('RegisterAccountNameSuccess', { name: `alice.${zone}` }, { default: showing() }, 'Account'),
  ...statesOf('RegisterAccountNameSuccess', { name: `${longLabel}.${zone}` }, { 'long content': showing() }, 'Account'),
]
