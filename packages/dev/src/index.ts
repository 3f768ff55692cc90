export { type DevTerminal, runDev } from './devCommand.ts'
export { type DevEnvironment, type DevEnvironmentInfo, startDevEnvironment } from './devEnvironment.ts'
export { type StaticSite, type StaticSitePolicy, serveFolder, strictHeaders } from './staticSite.ts'
