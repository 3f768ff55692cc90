/** The version of this release, sent as `sv`. A test keeps it equal to the version in package.json. */
export const version = '0.0.0'
