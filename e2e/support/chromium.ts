/**
 * The path of the Chromium that users have. Tests of cookie policies use it, because the headless shell that other tests may run in
 * has no settings for cookies and does not partition them.
 */
export const fullChromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
