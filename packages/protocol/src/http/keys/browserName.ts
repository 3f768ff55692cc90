const browsers = /Firefox|Edg|OPR|Chrome|Safari/

const systems = /Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux/

const browserNames: Readonly<Record<string, string>> = {
  Edg: 'Edge',
  OPR: 'Opera',
  'Mac OS X': 'Mac',
  CrOS: 'ChromeOS',
}

/** Returns a browser's display name from its user agent, such as `Chrome on Linux`. */
export function browserName(userAgent: string): string {
  const browser = browsers.exec(userAgent.replace(/Chrome.*(Edg|OPR)/, '$1'))?.[0] ?? 'Browser'
  const system = systems.exec(userAgent)?.[0]
  return [browserNames[browser] ?? browser, system && (browserNames[system] ?? system)].filter(Boolean).join(' on ')
}
