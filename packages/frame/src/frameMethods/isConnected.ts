import type { Method } from '../frameContext.ts'

/** Whether a user is logged in to this origin. */
export const isConnected: Method<'IS_CONNECTED'> = async ({ session }) => ({
  isConnected: (await session.me()) !== undefined,
})
