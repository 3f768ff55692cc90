export { Gallery } from './Gallery.tsx'
export { type GalleryState, galleryStates } from './states.ts'
