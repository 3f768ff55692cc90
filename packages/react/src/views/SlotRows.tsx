import { Group, Row } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { SlotGroup, SlotRow } from '../slots.ts'

/** Renders the host's custom groups of rows. */
export function SlotGroups({
  groups = [],
  disabled = false,
}: {
  readonly groups?: readonly SlotGroup[] | undefined
  readonly disabled?: boolean
}): ReactNode {
  return groups.map(({ key, label, rows }) => (
    <Group key={key} label={label}>
      {slotRows(rows, { disabled })}
    </Group>
  ))
}

/** Returns the host's custom rows, for use inside a built-in group. */
export function slotRows(
  rows: readonly SlotRow[] = [],
  { disabled = false }: { disabled?: boolean } = {},
): readonly ReactNode[] {
  return rows.map(({ key, icon, label, detail, href, onClick }) => (
    <Row
      key={key}
      icon={typeof icon === 'string' ? <img src={icon} alt="" width={40} height={40} /> : icon}
      detail={detail}
      href={href}
      onClick={onClick}
      disabled={disabled}
      trailing={href === undefined ? 'chevron' : 'external'}
    >
      {label}
    </Row>
  ))
}
