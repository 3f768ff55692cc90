// The pages that the benchmarks open: a minimal React modal, our modal, and AllWallets with 10,000 entries. Their imports are
// resolved from `e2e/`, because e2e/package.json lists their dependencies.

/** @type {Readonly<Record<'minimal' | 'ours' | 'list', string>>} */
export const pages = {
  minimal: `import { createElement, useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
function Modal({ onClose }) {
  const dialog = useRef(null)
  useEffect(() => dialog.current.showModal(), [])
  return createElement('dialog', { ref: dialog, onClose }, createElement('h2', null, 'Connect'),
    ['One', 'Two', 'Three'].map((name) => createElement('button', { key: name }, name)))
}
function Page() {
  const [open, setOpen] = useState(false)
  return [createElement('button', { key: 'b', id: 'open', onClick: () => setOpen(true) }, 'Connect'),
    open && createElement(Modal, { key: 'm', onClose: () => setOpen(false) })]
}
createRoot(document.getElementById('root')).render(createElement(Page))`,
  ours: `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { evm } from '@latchkey/adapters/evm'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
createRoot(document.getElementById('root')).render(
  createElement(LatchkeyProvider, { options: { adapters: [evm()] } }, createElement(ConnectButton)))`,
  list: `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { LatchkeyPanel, LatchkeyProvider } from '@latchkey/react'
import { route } from '@latchkey/core'
import { fakeDirectory, fakeLatchkey } from '@latchkey/core/testing'
const wallets = Array.from({ length: 10000 }, (_, at) => ({ id: at.toString(16).padStart(64, '0'), name: 'Wallet ' + at, image_id: '', rdns: '', chains: ['eip155:1'], mobile_link: 'w' + at + '://' }))
const latchkey = fakeLatchkey({
  options: { server: 'https://connect.app.example', projectId: 'bench', embedded: true },
  directory: fakeDirectory({ wallets, pageSize: Number(new URLSearchParams(location.search).get('page') ?? 40) }),
  state: (quiet) => ({ ...quiet, modal: { ...quiet.modal, open: true, stack: [route('AllWallets')] } }),
})
createRoot(document.getElementById('root')).render(
  createElement(LatchkeyProvider, { latchkey }, createElement('div', { style: { width: 360, height: 640 } }, createElement(LatchkeyPanel))))`,
}
