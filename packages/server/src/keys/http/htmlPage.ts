import type { Language } from '@latchkey/i18n/languages'
import { direction } from '@latchkey/i18n/locale'
import { popupChannel } from '@latchkey/protocol/http/keys'
import { escapeHtml } from '../../http/escapeHtml.ts'

/** Returns the HTML of a small top-level page on the keys origin. Its only script is `pageScript`. */
export function htmlPage({
  language,
  title,
  heading,
  texts,
  attributes = {},
  form,
}: {
  language: Language
  title: string
  heading: string
  texts: readonly string[]
  /** The body's `data-` attributes, which the script reads. */
  attributes?: Readonly<Record<string, string>>
  form?: { action: string; hidden: Readonly<Record<string, string>>; button: string }
}): string {
  const data = Object.entries(attributes).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  return `<!doctype html>
<html lang="${language}" dir="${direction(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/vault/page.css">
</head>
<body${data.join('')}>
<main>
<h1>${escapeHtml(heading)}</h1>
${texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
${form ? formOf(form) : ''}</main>
${data.length > 0 ? '<script src="/vault/page.js"></script>\n' : ''}</body>
</html>
`
}

function formOf({
  action,
  hidden,
  button,
}: {
  action: string
  hidden: Readonly<Record<string, string>>
  button: string
}): string {
  const inputs = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return `<form method="post" action="${escapeHtml(action)}">${inputs.join('')}<button>${escapeHtml(button)}</button></form>\n`
}

/** Returns the headers for these pages. Set `hasOpener` if the page has to reach the window that opened it. */
export function pageHeaders({ hasOpener = false }: { hasOpener?: boolean } = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'; " +
      "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    'cross-origin-opener-policy': hasOpener ? 'unsafe-none' : 'same-origin',
    'cache-control': 'no-store',
  }
}

/** The stylesheet for these pages. */
export const pageStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f4f5, #18181b); color: light-dark(#18181b, #f4f4f5) }
main { box-sizing: border-box; width: min(100vw - 32px, 400px); padding: 32px; border-radius: 20px; background: light-dark(#fff, #27272a); text-align: center }
h1 { margin: 0 0 12px; font-size: 20px; line-height: 1.3 }
p { margin: 0 0 12px; color: light-dark(#52525b, #a1a1aa) }
form { margin: 20px 0 0 }
button { font: inherit; font-weight: 600; width: 100%; padding: 12px; border: 0; border-radius: 12px; background: light-dark(#18181b, #fafafa); color: light-dark(#fff, #18181b); cursor: pointer }
button:focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px }
`

/** The popup's script. It messages the frame over a channel, and messages an opener only at the origin set by the server. */
export const pageScript = `'use strict'
const { part, opener: page } = document.body.dataset
const channel = new BroadcastChannel('${popupChannel}')
if (part === 'loading') {
  channel.onmessage = ({ data }) => {
    const uri = data && typeof data.uri === 'string' && URL.canParse(data.uri) ? new URL(data.uri) : undefined
    if (!uri || !/^https?:$/.test(uri.protocol)) return
    channel.postMessage({ going: data.uri })
    channel.close()
    location.replace(uri.href)
  }
  channel.postMessage({ waiting: true })
}
if (part === 'away') window.close()
if (part === 'done') {
  const resultUri = location.href
  channel.postMessage({ resultUri })
  if (page && window.opener) window.opener.postMessage({ resultUri }, page)
  else window.close()
}
`
