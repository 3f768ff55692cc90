import type { TransferStep } from '@latchkey/protocol/http/keys'
import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Clock, EventBus } from '../../serverDependencies.ts'
import type { Connection } from '../../storage/databaseConnection.ts'
import { removeInBatches } from '../../storage/removeInBatches.ts'
import { vaultTransfers } from '../tables/vaultSchema.ts'

/** A transfer between two devices of an account. */
export type DeviceTransfer = typeof vaultTransfers.$inferSelect

/** A store of pending transfers. Changes are published. */
export interface DeviceTransferStore {
  /** Stores a transfer, which replaces the previous transfer from the same browser. */
  create(transfer: DeviceTransfer): Promise<void>
  find(userId: string, id: string): Promise<DeviceTransfer | undefined>
  /** Resolves to all transfers of an account, newest first. */
  of(userId: string): Promise<readonly DeviceTransfer[]>
  /** Records a step. Resolves to the changed transfer, or `undefined` if the step was already recorded. */
  recordStep(transfer: DeviceTransfer, step: TransferStep, value: string): Promise<DeviceTransfer | undefined>
  /** Deletes a transfer. Resolves to the deleted transfer, or `undefined` if there was none. */
  remove(userId: string, id: string): Promise<DeviceTransfer | undefined>
}

/** Creates a store of transfers in a database. */
export function createDeviceTransferStore({
  connection,
  bus,
  now,
}: {
  connection: Connection
  bus: Pick<EventBus, 'publish'>
  now: Clock
}): DeviceTransferStore {
  const alive = () => gt(vaultTransfers.expiresAt, now())
  const isOwn = (userId: string) => eq(vaultTransfers.userId, userId)

  return {
    create: (transfer) =>
      connection.use(async (database) => {
        const { userId, browser } = transfer
        await database.delete(vaultTransfers).where(and(isOwn(userId), eq(vaultTransfers.browser, browser)))
        await database.insert(vaultTransfers).values(transfer)
      }),
    find: async (userId, id) => {
      const [row] = await connection.use((database) =>
        database
          .select()
          .from(vaultTransfers)
          .where(and(isOwn(userId), eq(vaultTransfers.id, id), alive())),
      )
      return row
    },
    of: (userId) =>
      connection.use((database) =>
        database
          .select()
          .from(vaultTransfers)
          .where(and(isOwn(userId), alive()))
          .orderBy(desc(vaultTransfers.createdAt)),
      ),
    recordStep: async ({ userId, id }, step, value) => {
      const values: { [Step in TransferStep]?: string } = { [step]: value }
      // Written only once, so that if two devices respond, only the first response is recorded.
      const [changed] = await connection.use((database) =>
        database
          .update(vaultTransfers)
          .set(values)
          .where(and(isOwn(userId), eq(vaultTransfers.id, id), alive(), isNull(vaultTransfers[step])))
          .returning(),
      )
      if (changed) bus.publish(transferTopic(id))
      return changed
    },
    remove: async (userId, id) => {
      const [removed] = await connection.use((database) =>
        database
          .delete(vaultTransfers)
          .where(and(isOwn(userId), eq(vaultTransfers.id, id)))
          .returning(),
      )
      // Wakes long polls immediately, because no further step will follow.
      if (removed) bus.publish(transferTopic(id))
      return removed
    },
  }
}

/** Returns the topic on which changes to a transfer are published. */
export function transferTopic(id: string): string {
  return `transfer ${id}`
}

/** Deletes expired transfers. */
export async function sweepDeviceTransfers({ connection, now }: { connection: Connection; now: Clock }): Promise<void> {
  await removeInBatches(connection, vaultTransfers, lt(vaultTransfers.expiresAt, now()))
}
