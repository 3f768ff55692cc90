import { escapeHtml } from './escapeHtml.ts'

/** A user of a mock provider. */
export interface MockUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly isVerified: boolean
}

/** Returns the user that a submitted login form describes. */
export function mockUserOf(form: URLSearchParams): MockUser {
  const email = (form.get('email') ?? '').trim().toLowerCase().slice(0, 200) || 'somebody@people.example'
  return {
    // The same address always identifies the same user.
    id: Buffer.from(email).toString('base64url'),
    name: (form.get('name') ?? '').trim().slice(0, 100) || (email.split('@')[0] ?? ''),
    email,
    isVerified: form.get('unverified') !== 'on',
  }
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // form-action is not set, because browsers also apply it to redirects after a form submission, and this form redirects to the
  // client.
  'content-security-policy': "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** Renders the login form. */
export function loginForm({
  title,
  note,
  clientName,
  action,
  hidden = {},
}: {
  title: string
  note: string
  /** The name of the requesting client. */
  clientName: string
  action: string
  hidden?: Readonly<Record<string, string>>
}): Response {
  const rememberedUsers = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return new Response(
    shell(
      title,
      `<p>${escapeHtml(note)}</p>
<form method="post" action="${escapeHtml(action)}">${rememberedUsers.join('')}
<label>Email <input name="email" type="email" required autocomplete="off" autofocus value="ada@people.example"></label>
<label>Name <input name="name" autocomplete="off" value="Ada"></label>
<label class="check"><input name="unverified" type="checkbox"> The address is not verified</label>
<button name="answer" value="yes">Continue to ${escapeHtml(clientName)}</button>
<button name="answer" value="no" formnovalidate class="quiet">Cancel</button>
</form>`,
    ),
    { headers },
  )
}

/** Renders an error page, or a page with a final message. */
export function errorPage(text: string, { title = 'Something went wrong', status = 400 } = {}): Response {
  return new Response(shell(title, `<p>${escapeHtml(text)}</p>`), { status, headers })
}

/** Renders a page of a mock service. `body` is HTML. */
export function mockPage(title: string, body: string): Response {
  return new Response(shell(title, body), { headers })
}

/** The stylesheet for the pages of the mock services. */
export const loginStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f4f5, #18181b); color: light-dark(#18181b, #f4f4f5) }
main { box-sizing: border-box; width: min(100vw - 32px, 420px); padding: 32px; border-radius: 20px; background: light-dark(#fff, #27272a) }
h1 { margin: 0 0 12px; font-size: 22px } p { margin: 0 0 20px; color: light-dark(#52525b, #a1a1aa) }
label { display: block; margin: 0 0 12px } .check { display: flex; gap: 8px; align-items: center }
input:not([type=checkbox]) { box-sizing: border-box; width: 100%; padding: 10px 12px; border: 1px solid light-dark(#d4d4d8, #52525b); border-radius: 10px; font: inherit; background: transparent; color: inherit }
button { font: inherit; font-weight: 600; width: 100%; margin-top: 8px; padding: 12px; border: 0; border-radius: 12px; background: light-dark(#18181b, #fafafa); color: light-dark(#fff, #18181b); cursor: pointer }
.quiet { background: transparent; color: inherit }
`

function shell(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/login.css">
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`
}
