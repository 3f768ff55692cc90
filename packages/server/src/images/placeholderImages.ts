const networks: readonly (readonly [imageId: string, name: string, color: string])[] = [
  ['ba0ba0cd-17c6-4806-ad93-f9d174f17900', 'E', '#5b6fd8'],
  ['ab9c186a-c52f-464b-2906-ca59d760a400', 'O', '#d64545'],
  ['93564157-2e8e-4ce7-81df-b264dbee9b00', 'B', '#c99a1e'],
  ['02b53f6a-e3d4-479e-1cb4-21178987d100', 'G', '#2f7d64'],
  ['41d04d42-da3b-4453-8506-668cc0727900', 'P', '#7a4fd0'],
  ['b310f07f-4ef7-49f3-7073-2a0a39685800', 'Z', '#3f4757'],
  ['e86fae9b-b770-4eea-e520-150e12c81100', 'M', '#2c6f6a'],
  ['7289c336-3981-4081-c5f4-efc26ac64a00', 'B', '#2d63d6'],
  ['3bff954d-5cb0-47a0-9a23-d20192e74600', 'A', '#3d86b8'],
  ['ab781bbc-ccc6-418d-d32d-789b15da1f00', 'C', '#8a7a1f'],
  ['30c46e53-e989-45fb-4549-be3bd4eb3b00', 'A', '#c2463c'],
  ['a1b58899-f671-4276-6a5e-56ca5bd59700', 'S', '#7d4fc4'],
  ['0b4838db-0161-4ffe-022d-532bf03dba00', 'B', '#c9792b'],
]

const connectors: readonly (readonly [imageId: string, name: string, color: string])[] = [
  ['ef1a1fcf-7fe8-4d69-bd6d-fda1345b4400', 'W', '#3f76c9'],
  ['07ba87ed-43aa-4adf-4540-9e6a2b9cae00', 'B', '#5a6472'],
  ['0c2840c3-5b04-4c44-9661-fbd4b49e1800', 'C', '#2d63d6'],
  ['461db637-8616-43ce-035a-d89b8a1d5800', 'S', '#2f7d64'],
  ['54a1aa77-d202-4f8d-0fb2-5d2bb6db0300', 'L', '#3f4757'],
]

const currencies: Readonly<Record<string, string>> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  CNY: '¥',
  INR: '₹',
  KRW: '₩',
  BRL: 'R$',
  TRY: '₺',
}

/** Returns a glyph for a known network or connector image ID. It is a letter on a plain shape, because logos are trademarks. */
export function assetGlyph(id: string): string | undefined {
  const network = networks.find(([known]) => known === id)
  if (network) return round(network[1], network[2])
  const connector = connectors.find(([known]) => known === id)
  return connector && square(connector[1], connector[2])
}

/** Returns a glyph for a three-letter currency code, or `undefined` if `code` is invalid. */
export function currencyGlyph(code: string): string | undefined {
  if (!/^[A-Za-z]{3}$/.test(code)) return undefined
  const upper = code.toUpperCase()
  return round(currencies[upper] ?? upper, colorOf(upper))
}

/** Returns a glyph for a token symbol, or `undefined` if `symbol` is invalid. */
export function tokenGlyph(symbol: string): string | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9.$₮+-]{0,15}$/.test(symbol)) return undefined
  const upper = symbol.toUpperCase()
  return round(upper.replace(/[^A-Z0-9]/g, '').slice(0, 3), colorOf(upper))
}

function colorOf(text: string): string {
  let hash = 0
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360
  return `hsl(${hash} 42% 42%)`
}

function round(text: string, color: string): string {
  return drawing(`<circle cx="32" cy="32" r="32" fill="${color}"/>`, text)
}

function square(text: string, color: string): string {
  return drawing(`<rect width="64" height="64" rx="16" fill="${color}"/>`, text)
}

// `text` matches one of the patterns above, so it needs no escaping.
function drawing(field: string, text: string): string {
  const size = text.length > 2 ? 19 : text.length > 1 ? 24 : 32
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">${field}` +
    `<text x="32" y="33" fill="#fff" font-family="system-ui,sans-serif" font-weight="600" font-size="${size}" ` +
    `text-anchor="middle" dominant-baseline="central">${text}</text></svg>`
  )
}
