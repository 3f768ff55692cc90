/** The version of this release, sent to the server as `sv`. A test ensures that it equals the version in package.json. */
export const version = '0.0.0'
