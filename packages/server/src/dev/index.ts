export { type DevTerminal, runDev } from './runDev.ts'
export { type Site, type SitePolicy, serveFolder, strictHeaders } from './site.ts'
export { type LocalWorld, startLocalWorld, type WorldFacts } from './world.ts'
