"""What everyday words say in German, Spanish, French, Japanese, Portuguese and Chinese."""

from __future__ import annotations

from typing import Final

from mcp_error_middleware.classify.patterns.phrases import Pattern
from mcp_error_middleware.taxonomy import ErrorCode

LANGUAGES: Final[tuple[Pattern, ...]] = (
    Pattern(
        ErrorCode.RATE_LIMITED,
        """
        viele anfragen | demasiadas | requêtes | requisições | muitas solicitações | リクエスト
        请求过 | 请求太 | 请求次数
        """,
        r"""
        \bzu viele anfragen\b | \bdemasiadas (solicitudes|peticiones|requisições)\b | \btrop de requêtes\b
        \bmuitas (requisições|solicitações)\b | リクエスト(が多すぎ|.{0,3}の上限に達し)
        请求(次数)?(过于频繁|过多|太频繁|太多)
        """,
        (
            "Zu viele Anfragen",
            "Demasiadas solicitudes",
            "Trop de requêtes",
            "リクエストが多すぎます",
            "Muitas requisições",
            "请求过于频繁",
        ),
        ("viele Anfragen kamen an", "demasiadas páginas", "リクエストが届きました", "请求过滤器"),
    ),
    Pattern(
        ErrorCode.TIMEOUT,
        "zeit | tiempo | délai | tempo | タイムアウト | 超时",
        r"""
        \bzeitüberschreitung\b | \bzeitlimit (wurde )?überschritten\b
        \btiempo de espera (agotado|excedido)\b | \bagotó el tiempo\b
        \bdélai (d'attente )?(est |a été )?(dépassé|expiré)
        \btempo (limite |de espera )*(esgotado|excedido)\b
        タイムアウト(しま|した|が発生|になり|$)
        (请求|连接|操作|响应|等待|执行|读取)(已)?超时(?!时间|设置|值)
        """,
        (
            "Zeitüberschreitung bei der Anfrage",
            "Tiempo de espera agotado",
            "Délai d'attente dépassé",
            "接続がタイムアウトしました",
            "Tempo limite excedido",
            "请求超时",
        ),
        ("zeitlich passt es", "tiempo de espera: 3", "タイムアウトは正の値です", "请求超时时间必须为正"),
    ),
    Pattern(
        ErrorCode.SERVICE_UNAVAILABLE,
        """
        nicht erreichbar | nicht verfügbar | antwortet nicht | verbindung | se puede conectar | ne répond pas
        no está disponible | no disponible | conexión | indisponible
        injoignable | connexion | indisponível | conexão | サービス | サーバ | 接続 | 不可用 | 连接
        """,
        r"""
        \bnicht erreichbar\b | \bantwortet nicht\b | \bno se puede conectar\b | \bne répond pas\b
        \b(dienst|server|service) (ist )?(\w+ )?nicht verfügbar\b
        \bverbindung (\w+ ){0,3}(abgelehnt|verweigert|fehlgeschlagen|abgebrochen|unterbrochen)\b
        \b(servicio|servidor) no (está )?disponible\b | \bconexión (rechazada|fallida|perdida)\b
        \b(service|serveur) (est )?(\w+ )?(indisponible|injoignable)\b | \bconnexion (refusée|perdue|échouée)
        \béchec de (la )?connexion\b
        \b(serviço|servidor) (está )?(\w+ )?indisponível | \bconexão (recusada|perdida)\b
        (サービス|サーバー?)[はが]?(現在|一時的に)?(利用できません|応答しません)
        接続(できません|に失敗|が拒否) | 服务(器)?(暂时?|当前)?不可用 | 无法连接 | 连接(失败|被拒绝)
        """,
        (
            "Dienst nicht erreichbar",
            "Le serveur ne répond pas",
            "Servicio no disponible",
            "Service temporairement indisponible",
            "サービスは現在利用できません",
            "Serviço indisponível",
            "服务暂时不可用",
            "Verbindung abgelehnt",
        ),
        (
            "Größe nicht verfügbar",
            "color no disponible",
            "connexion requise",
            "接続は3本です",
            "连接两个城市",
        ),
    ),
    Pattern(
        ErrorCode.UNAUTHORIZED,
        """
        anmeldung | authentifizierung | angemeldet | autenticación | authentification | autenticação | 認証
        ログイン | 认证 | 登录 | 身份验证
        """,
        r"""
        \b(anmeldung|authentifizierung) (ist )?fehlgeschlagen\b | \bnicht angemeldet\b
        \bautenticación (fallida|requerida)\b | \b(error|fallo) de autenticación\b
        \béchec d(e l)?['’]authentification\b | \bauthentification (a )?(échoué|requise)
        \bfalha (na|de) autenticação | \bautenticação (falhou|necessária)
        認証(に失敗|が必要|エラー) | ログイン(に失敗|が必要) | (认证|身份验证|登录)失败 | 未登录
        """,
        (
            "Anmeldung fehlgeschlagen",
            "Error de autenticación",
            "Échec de l'authentification",
            "認証に失敗しました",
            "Falha na autenticação",
            "身份验证失败",
        ),
        ("Anmeldung zum Kurs", "la autenticación es rápida", "認証の方法", "登录页面"),
    ),
    Pattern(
        ErrorCode.FORBIDDEN,
        """
        zugriff | berechtigung | denegado | permiso | accès | acesso | permissão | アクセス
        権限 | 访问 | 权限
        """,
        r"""
        \bzugriff (wurde )?verweigert\b | \bkeine berechtigung\b | \b(acceso|permiso) denegado\b
        \bno tienes? permisos?\b | \bnão tem permissão | \baccès (refusé|interdit|non autorisé)
        \bacesso negado\b | \b(sem permissão|permissão negada) | アクセス[はがを]?拒否 | 権限がありません
        拒绝访问 | 访问被拒绝 | (没有|无)(访问)?权限 | 权限不足
        """,
        (
            "Zugriff verweigert",
            "Acceso denegado",
            "Accès refusé",
            "アクセスは拒否されました",
            "Acesso negado",
            "没有权限",
        ),
        ("Zugriff auf Datei a", "accès au quai 3", "アクセス方法", "权限列表"),
    ),
    Pattern(
        ErrorCode.CONFLICT,
        "bereits | ya exist | déjà | já | 既に | すでに | 已存在 | 已经存在 | 已被",
        r"""
        \bexistiert bereits\b | \bbereits (vorhanden|vergeben|registriert|gebucht)\b | \bya existe
        \bexiste déjà | \bdéjà (utilisé|pris|réservé|enregistré) | \bjá (existe|cadastrad|registrad)
        (既に|すでに)(存在|使用|登録) | 已(经)?存在 | 已被(占用|使用|注册|预订)
        """,
        (
            "Der Benutzer existiert bereits",
            "El usuario ya existe",
            "L'utilisateur existe déjà",
            "ユーザーは既に存在します",
            "O usuário já existe",
            "用户已存在",
        ),
        ("bereits geprüft", "déjà vu", "já é tarde", "既に知っています", "已被证明"),
    ),
    Pattern(
        ErrorCode.NOT_FOUND,
        """
        nicht gefunden | existiert nicht | no encontrad | encontró | no existe | introuvable | existe pas
        trouvé | não encontrad | não foi encontrad | não existe
        見つかり | 存在しません | 未找到 | 找不到 | 不存在
        """,
        r"""
        \bnicht gefunden\b | \bexistiert nicht\b | \bno encontrad[oa] | \bno se encontró | \bno existe\b
        \bintrouvables?\b | \bn['’]existe pas\b | \bnon trouvée? | \bn['’]a pas été trouvée?
        \bnão (foi )?encontrad[oa] | \bnão existe\b | 見つかりません | 存在しません | 未找到 | 找不到 | 不存在
        """,
        (
            "Datei nicht gefunden: bericht.pdf",
            "Archivo no encontrado",
            "Fichier introuvable",
            "ファイルが見つかりません",
            "Arquivo não encontrado",
            "文件不存在",
        ),
        ("gefunden wurde nichts Neues", "trouvé hier", "見つかりました"),
    ),
)
