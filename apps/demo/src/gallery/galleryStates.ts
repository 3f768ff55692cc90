import type { GalleryEntry } from './galleryEntry.ts'

const files = import.meta.glob<Readonly<Record<string, readonly GalleryEntry[]>>>('./states/*.ts', { eager: true })

/** Every view in every state, from all files in `states/`. Used by the screenshot, axe and translation checks. */
export const galleryStates: readonly GalleryEntry[] = Object.values(files).flatMap((file) => Object.values(file).flat())
