import { latchkeyBuild } from '../../tools/tsdown.base.mjs'

export default latchkeyBuild({ folder: import.meta.dirname, platform: 'node', bundle: [/^@latchkey\/i18n/] })
