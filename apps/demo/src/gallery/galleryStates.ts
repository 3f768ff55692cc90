import type { GalleryEntry } from './galleryEntry.ts'

const files = import.meta.glob<Readonly<Record<string, readonly GalleryEntry[]>>>('./states/*.ts', { eager: true })

/** The gallery entries from every file in `states/`. The screenshot, accessibility and translation checks use them. */
export const galleryStates: readonly GalleryEntry[] = Object.values(files).flatMap((file) => Object.values(file).flat())
