/** The version of this release, as `sv` says it; a test holds it equal to package.json. */
export const version = '0.0.0'
