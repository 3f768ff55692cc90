/** The texts of emails and of the pages opened by emails and social logins, in Japanese. */
export const mail = {
  'code.subject': 'サインインコード',
  'code.heading': 'サインインコード',
  'code.before':
    'サインイン中の画面にこのコードを入力してください。10 分間、コードをリクエストしたブラウザでのみ有効です。',
  'code.after':
    '{site} の者がこのコードをお尋ねすることは決してありません。お心当たりがない場合は、このメールを無視してください。コードがなければ誰もサインインできません。',

  'approval.subject': '新しいブラウザの承認',
  'approval.heading': 'ご本人ですか？',
  'approval.before':
    '新しいブラウザが、あなたのメールアドレスでサインインしようとしています。リンクは 10 分間有効です。',
  'approval.link': 'リクエストを確認',
  'approval.after':
    '今サインインしている場合にのみ開いてください。お心当たりがない場合は、このメールを無視してください。リンクがなければ誰も {site} にサインインできません。',

  'changePrimary.subject': 'メールアドレス変更の確認',
  'changePrimary.heading': 'メールアドレスの変更',
  'changePrimary.before':
    'アカウントのメールアドレスを変更するには、このコードを入力して確認してください。10 分間有効です。',
  'changePrimary.after':
    'お心当たりがない場合は、このコードをどこにも入力せず、{site} でアカウントの端末を確認してください。',

  'changeSecondary.subject': '新しいメールアドレスの確認',
  'changeSecondary.heading': '新しいメールアドレス',
  'changeSecondary.before':
    'これをアカウントのメールアドレスにするには、このコードを入力してください。10 分間有効です。',
  'changeSecondary.after': 'お心当たりがない場合は、このメールを無視してください。{site} はこのアドレスを削除します。',

  'addressTaken.subject': 'このメールアドレスにはすでにアカウントがあります',
  'addressTaken.heading': 'このメールアドレスは使用されています',
  'addressTaken.before':
    '誰か（あなたかもしれません）が、{site} の別のアカウントでこのメールアドレスを使おうとしました。すでにアカウントがあるため、何も変更されていません。',
  'addressTaken.after': 'ご本人の場合は、このメールアドレスでサインインしてください。',

  'addressChanged.subject': 'メールアドレスが変更されました',
  'addressChanged.heading': 'メールアドレスが変更されました',
  'addressChanged.before':
    '{site} のアカウントのメールアドレスが変更されました。両方のアドレスに送ったコードが入力されています。ウォレットとその鍵は変わっていません。',
  'addressChanged.after':
    'お心当たりがない場合は、誰かがあなたのメールを読める状態です。メールアカウントのパスワードを変更してください。',

  'deviceAdded.subject': '別の端末での新しいサインイン',
  'deviceAdded.heading': '新しい端末',
  'deviceAdded.before':
    '「{place}」が {site} のアカウントにサインインしました。ウォレットを開くには、あなたのパスキー、復元キット、またはほかの端末が必要です。',
  'deviceAdded.after': 'ご自分の端末でない場合は、ウォレットの端末の一覧から削除してください。',

  'deviceAsked.subject': '新しい端末がウォレットを開こうとしています',
  'deviceAsked.heading': '端末の承認が必要です',
  'deviceAsked.before':
    '「{place}」が {site} のアカウントにサインインし、あなたの端末の承認を求めています。{time} までは、承認するためにその端末でパスキーまたは復元キットが必要です。',
  'deviceAsked.after':
    'ご自分の端末でない場合は、誰かがあなたのメールを読める状態です。メールアカウントのパスワードを変更してから、ブラウザで {page} を開き、すべての端末からサインアウトして、パスキーまたは復元キットを追加してください。',

  'expiredPage.title': 'リンクの期限切れ',
  'expiredPage.heading': 'このリンクは期限切れです',
  'expiredPage.body': '使えるのは 1 回、10 分間だけです。サインイン中の画面で新しいリンクをリクエストしてください。',

  'approvePage.title': '新しいブラウザの承認',
  'approvePage.heading': '今サインインしていますか？',
  'approvePage.body': 'ブラウザが {email} として {site} にサインインしようとしています。',
  'approvePage.notYou': 'お心当たりがない場合は、このページを閉じてください。',
  'approvePage.approve': '承認',

  'approvedPage.title': '承認済み',
  'approvedPage.heading': 'ブラウザを承認しました',
  'approvedPage.body':
    'メールでコードを送りました。サインイン中の画面に入力してください。このページは閉じてかまいません。',

  'popup.title': 'サインイン',
  'popup.loading': 'お待ちください…',
  'popup.loadingBody': 'ここにサインイン画面が開きます。',
  'popup.elsewhere': '元のページで続けてください',
  'popup.done': '元のページに戻ってください',
  'popup.failed': '問題が発生しました',
  'popup.close': 'このウィンドウは閉じてかまいません。',
}
