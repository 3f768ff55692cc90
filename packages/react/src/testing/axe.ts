import axe from 'axe-core'

/** What axe finds wrong with the page (or `within`), as short lines; an empty list is what a test wants. */
export async function axeFindings(within: Element | Document = document): Promise<readonly string[]> {
  const { violations } = await axe.run(within, { rules: { region: { enabled: false } } })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}
