import axe from 'axe-core'

/** Runs axe on the page, or on `within`, and returns a line of text for each violation. */
export async function axeFindings(within: Element | Document = document): Promise<readonly string[]> {
  const { violations } = await axe.run(within, { rules: { region: { enabled: false } } })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}
