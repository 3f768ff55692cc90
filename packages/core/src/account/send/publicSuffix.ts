/** The second-level domains under which country registries register names for others. */
const ofCountries =
  /^(ac|co|com|edu|gen|go|gob|gouv|gov|govt|id|ind|info|int|k12|ltd|me|mil|mod|ne|net|nhs|nic|nom|or|org|plc|police|pp|pro|res|sc|sch|school|tm|web)\.[a-z]{2}$/
/** The short domains under which companies register names for others, such as `uk.com`. */
const ofRegistrars = /^[a-z]{2}\.(com|net|org)$/
/** The domains under which hosting services give names to their customers. */
const ofHosts =
  /^((github|gitlab|codeberg|bitbucket)\.(io|page)|eth\.(limo|link|sucks)|(amazonaws|appspot|azurewebsites|blogspot|cloudfront|firebaseapp|fly|glitch|herokuapp|netlify|ngrok|ngrok-free|onrender|pages|railway|replit|repl|supabase|surge|vercel|web|webflow|workers|wordpress|wixsite|myshopify|deno|now|render|trycloudflare|azurestaticapps|cloudapp|duckdns|nip|sslip)\.[a-z]+)$/

/**
 * Whether the names under a domain with two labels belong to different people, as those under `co.uk` or `github.io` do. The
 * complete list (https://publicsuffix.org) is larger than everything else that a page loads, so only the most common ones are
 * recognized.
 */
export function isPublicSuffix(domain: string): boolean {
  return [ofCountries, ofRegistrars, ofHosts].some((pattern) => pattern.test(domain))
}
