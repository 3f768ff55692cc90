// Finds the files that a developer has changed, for `npm test -- --changed`.

import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'
import { Stop } from './bootstrap.mjs'

/**
 * Returns the files in a repository that differ from the commit `since`, including uncommitted and new files, but not deleted
 * ones. By default, `since` is the commit at which the current branch diverged from `main`. On `main` itself, it is the last
 * commit that was pushed, or HEAD if there is no remote repository.
 * @param {string} folder
 * @param {string} [since]
 * @returns {string[]} paths relative to `folder`, which is the root of the repository
 */
export function changedFiles(folder, since = branchPoint(folder)) {
  const differing = git(folder, ['diff', '--name-only', '-z', '--diff-filter=d', since, '--'])
  if (!differing) throw new Stop(`${since} is not a commit.`)
  const added = git(folder, ['ls-files', '--others', '--exclude-standard', '-z']) ?? []
  return [...new Set([...differing, ...added])].sort()
}

/**
 * Returns the files whose related tests Vitest should run: the changed files, and for each changed file that is not a script,
 * such as a style sheet, the scripts that contain its name.
 * @param {string} folder
 * @param {readonly string[]} changed
 * @returns {string[]}
 */
export function relatedScripts(folder, changed) {
  const scripts = ['*.ts', '*.tsx', '*.mjs']
  const isScript = (/** @type {string} */ path) => /\.(tsx?|mjs)$/.test(path)
  const naming = changed
    // Vitest runs all tests if a package.json has changed.
    .filter((path) => !isScript(path) && basename(path) !== 'package.json')
    .flatMap((path) => git(folder, ['grep', '-lzF', '--untracked', '-e', basename(path), '--', ...scripts]) ?? [])
  return [...new Set([...changed, ...naming])].sort()
}

/** @param {string} folder */
function branchPoint(folder) {
  for (const main of ['origin/main', 'main']) {
    const [commit] = git(folder, ['merge-base', 'HEAD', main]) ?? []
    if (commit) return commit.trim()
  }
  return 'HEAD'
}

/**
 * Returns the paths in git's output, or `undefined` if git fails.
 * @param {string} folder
 * @param {readonly string[]} args
 */
function git(folder, args) {
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return status === 0 ? stdout.split('\0').filter((path) => path !== '') : undefined
}
