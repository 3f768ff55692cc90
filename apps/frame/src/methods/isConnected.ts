import type { Method } from '../frameContext.ts'

/** Whether somebody is signed in to this origin. */
export const isConnected: Method<'IS_CONNECTED'> = async ({ session }) => ({
  isConnected: (await session.me()) !== undefined,
})
