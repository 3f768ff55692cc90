import axe from 'axe-core'

/** Returns the axe violations of the page, or of `within`, as short lines. */
export async function axeFindings(within: Element | Document = document): Promise<readonly string[]> {
  const { violations } = await axe.run(within, { rules: { region: { enabled: false } } })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}
