import type { Prompt } from '@latchkey/testing'
import { formatEther, hexToBigInt, hexToString, isHex } from 'viem'
import type { Environment } from '../environment.ts'

/**
 * Shows the test wallet's approval prompt. Resolves to whether the user approved the request. Like an extension's window, the
 * prompt is a separate dialog above everything else on the page. It uses the plain DOM because it simulates a separate program.
 */
export function promptForApproval({ prompt, world }: { prompt: Prompt; world: Environment }): Promise<boolean> {
  const { title, rows } = wordsFor(prompt, world)
  const dialog = element('dialog', { className: 'testWallet', ariaLabel: `Test Wallet: ${title}` })
  const list = element('dl', {})
  for (const [name, value] of rows)
    list.append(element('dt', { textContent: name }), element('dd', { textContent: value }))
  const decline = element('button', { type: 'button', className: 'quiet', textContent: 'Decline' })
  const approve = element('button', { type: 'button', className: 'primary', textContent: 'Approve', autofocus: true })
  const actions = element('div', { className: 'actions' })
  actions.append(decline, approve)
  dialog.append(
    element('p', { className: 'whose', textContent: 'Test Wallet' }),
    element('h2', { textContent: title }),
    list,
    element('p', {
      className: 'hint',
      textContent: 'A simulated wallet extension with publicly known keys.',
    }),
    actions,
  )
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    const answer = (yes: boolean) => (): void => {
      dialog.close()
      dialog.remove()
      resolve(yes)
    }
    approve.addEventListener('click', answer(true))
    decline.addEventListener('click', answer(false))
    dialog.addEventListener('cancel', answer(false))
  })
}

function wordsFor(
  { method, params, account, chainId }: Prompt,
  world: Environment,
): { title: string; rows: [string, string][] } {
  const [param] = Array.isArray(params) ? (params as unknown[]) : []
  const network = (id: number): string => world.chains.find((chain) => chain.id === id)?.name ?? `Chain ${id}`
  const who: [string, string] = ['Account', account]
  switch (method) {
    case 'eth_requestAccounts':
    case 'wallet_requestPermissions':
      return { title: 'Connect to this page?', rows: [['Page', location.host], who] }
    case 'personal_sign':
      return {
        title: 'Sign this message?',
        rows: [['Message', isHex(param) ? hexToString(param) : String(param)], who],
      }
    case 'eth_signTypedData_v4':
      return { title: 'Sign this data?', rows: [who] }
    case 'eth_sendTransaction': {
      const { to, value, data } = (param ?? {}) as { to?: string; value?: `0x${string}`; data?: string }
      return {
        title: 'Send this transaction?',
        rows: [
          ['To', to ?? 'a new contract'],
          ['Amount', `${formatEther(value ? hexToBigInt(value) : 0n)} ETH`],
          ...(data && data !== '0x'
            ? ([['Data', `${data.slice(0, 10)}… (${(data.length - 2) / 2} bytes)`]] as [string, string][])
            : []),
          ['Network', network(chainId)],
        ],
      }
    }
    case 'wallet_switchEthereumChain':
    case 'wallet_addEthereumChain': {
      const { chainId: wanted } = (param ?? {}) as { chainId?: string }
      return {
        title: 'Switch network?',
        rows: [
          ['From', network(chainId)],
          ['To', network(Number(wanted))],
        ],
      }
    }
    default:
      return { title: `Allow ${method}?`, rows: [who] }
  }
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties)
}
