import * as v from 'valibot'

const text = v.nullish(v.string())

/** A wallet of the directory (R3.2, spec services 2.1). */
export const wallet = v.object({
  id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(128)),
  name: v.pipe(v.string(), v.maxLength(200)),
  homepage: text,
  image_id: v.optional(v.string()),
  image_url: text,
  order: v.optional(v.number()),
  badge_type: text,
  chains: v.optional(v.array(v.string())),
  mobile_link: text,
  link_mode: text,
  desktop_link: text,
  webapp_link: text,
  app_store: text,
  play_store: text,
  chrome_store: text,
  rdns: text,
  injected: v.nullish(v.array(v.object({ namespace: v.string(), injected_id: v.string() }))),
})

/** A wallet of the directory. */
export type Wallet = v.InferOutput<typeof wallet>
