/** The texts of emails and of the pages opened by emails and social logins, in Simplified Chinese. */
export const mail = {
  'code.subject': '你的登录验证码',
  'code.heading': '你的登录验证码',
  'code.before': '请在正在登录的页面输入此验证码。10 分钟内有效，且仅限请求它的浏览器使用。',
  'code.after': '{site} 的任何人都不会向你索要此验证码。如果你没有请求验证码，请忽略此邮件：没有它，任何人都无法登录。',

  'approval.subject': '批准新浏览器',
  'approval.heading': '这是你吗？',
  'approval.before': '有一个新浏览器想用你的邮箱地址登录。链接在 10 分钟内有效。',
  'approval.link': '查看请求',
  'approval.after': '仅当你正在登录时才打开链接。如果不是你，请忽略此邮件：没有此链接，任何人都无法登录 {site}。',

  'changePrimary.subject': '确认更改邮箱',
  'changePrimary.heading': '更改你的邮箱地址',
  'changePrimary.before': '请输入此验证码，确认要更改账户的邮箱地址。10 分钟内有效。',
  'changePrimary.after': '如果不是你，请不要在任何地方输入它，并在 {site} 检查你账户的设备。',

  'changeSecondary.subject': '确认新的邮箱地址',
  'changeSecondary.heading': '你的新邮箱地址',
  'changeSecondary.before': '请输入此验证码，将此地址设为你账户的邮箱地址。10 分钟内有效。',
  'changeSecondary.after': '如果你没有请求更改，请忽略此邮件：{site} 将删除此地址。',

  'addressTaken.subject': '此邮箱地址已有账户',
  'addressTaken.heading': '此邮箱地址已被使用',
  'addressTaken.before': '有人（也许是你）想在 {site} 的另一个账户中使用此邮箱地址。它已有账户，因此没有任何更改。',
  'addressTaken.after': '如果是你，请改用此邮箱地址登录。',

  'addressChanged.subject': '你的邮箱地址已更改',
  'addressChanged.heading': '你的邮箱地址已更改',
  'addressChanged.before':
    '你在 {site} 的账户现在使用另一个邮箱地址。发送到两个地址的验证码均已输入。你的钱包及其密钥没有变化。',
  'addressChanged.after': '如果不是你，说明有人能读取你的邮件：请更改邮箱账户的密码。',

  'deviceAdded.subject': '在另一台设备上有新的登录',
  'deviceAdded.heading': '新设备',
  'deviceAdded.before':
    '“{place}”登录了你在 {site} 的账户。只有使用你的通行密钥、恢复套件或你的另一台设备，它才能打开钱包。',
  'deviceAdded.after': '如果不是你的设备，请将它从钱包的设备列表中移除。',

  'deviceAsked.subject': '一台新设备想打开你的钱包',
  'deviceAsked.heading': '有一台设备需要你批准',
  'deviceAsked.before':
    '“{place}”登录了你在 {site} 的账户，正在请求你的一台设备批准。在 {time} 之前，批准时需要在该设备上使用你的通行密钥或恢复套件。',
  'deviceAsked.after':
    '如果不是你的设备，说明有人能读取你的邮件：请更改邮箱账户的密码，然后在浏览器中打开 {page}，在所有设备上退出登录，并添加通行密钥或恢复套件。',

  'expiredPage.title': '链接已失效',
  'expiredPage.heading': '此链接已失效',
  'expiredPage.body': '链接只能使用一次，10 分钟内有效。请在正在登录的页面获取新的链接。',

  'approvePage.title': '批准新浏览器',
  'approvePage.heading': '你现在正在登录吗？',
  'approvePage.body': '有一个浏览器想以 {email} 的身份登录 {site}。',
  'approvePage.notYou': '如果不是你，请关闭此页面。',
  'approvePage.approve': '批准',

  'approvedPage.title': '已批准',
  'approvedPage.heading': '浏览器已批准',
  'approvedPage.body': '我们已通过邮件向你发送验证码。请在正在登录的页面输入。你可以关闭此页面。',

  'popup.title': '登录',
  'popup.loading': '请稍候…',
  'popup.loadingBody': '登录页面将在这里打开。',
  'popup.elsewhere': '请在原页面继续',
  'popup.done': '你可以返回原页面',
  'popup.failed': '出了点问题',
  'popup.close': '你可以关闭此窗口。',
}
